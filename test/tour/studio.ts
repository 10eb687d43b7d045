import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'

const folder = fileURLToPath(new URL('../../docs/tour/', import.meta.url))
const desk = { width: 1280, height: 800 }
const phone = { width: 390, height: 760 }

/** A browser in which somebody shows the portal, and a camera. */
export interface Studio {
  page: Page
  signIn(person: { email: string; password: string }): Promise<void>
  open(path: string, title: string): Promise<void>
  heading(title: string): Promise<void>
  /** Takes what is on the screen now as `docs/tour/NAME.webp`. */
  take(name: string, size?: 'desk' | 'phone'): Promise<void>
  /** What was taken, in a sentence. */
  taken(): string
}

export async function openStudio(browser: Browser, url: string): Promise<Studio> {
  const context = await browser.newContext({ viewport: desk, locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  const camera = await context.newCDPSession(page)
  const sizes: number[] = []
  await mkdir(folder, { recursive: true })

  const heading = (name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor({ timeout: 120_000 })

  async function signIn({ email, password }: { email: string; password: string }): Promise<void> {
    await context.clearCookies()
    await page.goto(`${url}/app/sign-in`)
    await page.getByLabel(/e-?mail/i).fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  async function take(name: string, size: 'desk' | 'phone' = 'desk'): Promise<void> {
    await page.setViewportSize(size === 'desk' ? desk : phone)
    await page.evaluate('document.activeElement?.blur()')
    await page.evaluate('document.fonts.ready.then(() => undefined)')
    const { data } = await camera.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
    const picture = Buffer.from(data, 'base64')
    await writeFile(`${folder}${name}.webp`, picture)
    sizes.push(picture.length)
    await page.setViewportSize(desk)
  }

  return {
    page,
    signIn,
    heading,
    take,
    async open(path, title) {
      await page.goto(`${url}${path}`)
      await heading(title)
    },
    taken() {
      const kibibytes = Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024)
      return `${sizes.length} pictures in docs/tour, ${kibibytes} KiB in all.`
    },
  }
}
