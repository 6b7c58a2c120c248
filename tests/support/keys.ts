import type { Locator } from 'playwright-core'
import { until } from './wait.ts'

/** More than the controls that any page has. */
const tabsMax = 250

export const hasFocus = (what: Locator) => what.evaluate((element) => element === document.activeElement)

/** Goes there as who has no pointer does, one control after the other, from where the focus is. */
export async function tabTo(what: Locator): Promise<void> {
  await what.waitFor()
  for (let tabs = 0; !(await hasFocus(what)); tabs++) {
    if (tabs === tabsMax) throw new Error('no Tab leads there')
    await what.page().keyboard.press('Tab')
  }
}

/** The focus comes there by itself, after an act. */
export const getsFocus = async (what: Locator): Promise<void> => {
  await what.waitFor()
  await until('the focus to come there', () => hasFocus(what))
}
