import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sample } from '../length/test-length.ts';
import { axeFindings } from './axe.ts';
import { waitForTitle } from './window.ts';

/** A small phone, and a desktop screen. */
const WIDTHS = [400, 1280];
const HEIGHT = 800;

const CONTROLS = 'a[href], button, input, select, textarea, summary, [role="button"], [role="link"]';

/** Lists controls that the Tab key skips; axe does not check that. */
const passedOver = (page: Page): Promise<readonly string[]> =>
  page.locator(CONTROLS).evaluateAll((found) =>
    found.flatMap((each) => {
      const { tabIndex, outerHTML } = each as unknown as { readonly tabIndex: number; readonly outerHTML: string };
      const isShown = each.checkVisibility({ visibilityProperty: true }) && !each.matches(':disabled');
      return isShown && tabIndex < 0 ? [outerHTML] : [];
    }),
  );

/**
 * Waits for the page with this title and asserts at either width that the keyboard reaches every control, nothing scrolls sideways, and axe
 * finds nothing. Axe takes about half of a browser's work here: the short run uses it at one of the widths.
 */
export const assertPage = async (page: Page, title: string): Promise<void> => {
  await waitForTitle(page, title);
  const asksAxe = sample(WIDTHS, 1, title);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    if (asksAxe.includes(width)) assert.deepEqual(await axeFindings(page), [], `${title} at ${width} px`);
    assert.deepEqual(await passedOver(page), [], `${title} at ${width} px: no key reaches these`);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(wide <= width, `${title} is ${wide} px wide at ${width} px`);
  }
};
