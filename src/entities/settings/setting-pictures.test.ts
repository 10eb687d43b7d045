import { expect, test } from 'vitest'
import { settingPictureFile } from './setting-pictures.ts'

test.each([
  ['https://cdn.example.com/s-abc/images/stencil/250x100/logo_1587654321__12345.original.png', 'logo.png'],
  ['https://cdn.example.com/product_images/Shop-Logo.PNG?t=1587654321', 'shop-logo.png'],
  ['https://cdn.example.com/logo_1587654321_1687654321__12345.original.png', 'logo.png'],
  ['https://cdn.example.com/icon_2024.gif', 'icon_2024.gif'],
  ['', ''],
])('a picture of the settings is known by its name without what the platform wrote behind it: %s', (address, name) => {
  expect(settingPictureFile(address)).toBe(name)
})
