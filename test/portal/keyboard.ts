import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More stops than any screen has. */
const mostStops = 250

/**
 * Moves on with Tab until the focus is on the one, as a person without a mouse does. At every stop the focus has to be seen.
 *
 * @param key `Shift+Tab` to move back
 */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < mostStops; stops += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press(key)
    expect(await whyUnseen(page)).toBeNull()
  }
  throw new Error(`${key} does not lead to ${target}.`)
}

/** Within a few frames: scrolling and drawing take some. */
async function whyUnseen(page: Page, frames = 20): Promise<string | null> {
  const reason = await page.evaluate<string | null>(unseenFocus)
  if (reason === null || frames === 0) return reason
  await page.evaluate('new Promise(requestAnimationFrame)')
  return whyUnseen(page, frames - 1)
}

/** The element with an invisible focus; null where it is visible, or has left the page for the browser's own controls. */
const unseenFocus = `(() => {
  const focused = document.activeElement
  if (!focused || focused === document.body) return null
  const { top, bottom, left, width, height } = focused.getBoundingClientRect()
  const isOnScreen = width > 0 && height > 0 && (height > innerHeight || (top >= -1 && bottom <= innerHeight + 1))
  const isMarked = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
  }
  // Bars stay above and below what scrolls.
  const above = document.elementFromPoint(left + width / 2, Math.min(Math.max(top + height / 2, 0), innerHeight - 1))
  const isCovered = isOnScreen && above !== null && !focused.contains(above) && !above.contains(focused)
  if (isCovered) return 'covered by ' + above.outerHTML.slice(0, 100) + ': ' + focused.outerHTML.slice(0, 200)
  // Text fields are marked by the box around them.
  const box = focused.matches('input') ? focused.parentElement.parentElement : focused
  const isSeen = isMarked(focused) || isMarked(box)
  if (isOnScreen && isSeen) return null
  return (isOnScreen ? 'not marked: ' : 'off the screen at ' + top + ': ') + focused.outerHTML.slice(0, 300)
})()`
