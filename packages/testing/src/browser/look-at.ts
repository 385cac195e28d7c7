import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { titleOf } from './window.ts';

/** A small telephone, and a screen on a desk. */
const WIDTHS = [400, 1280];
const HEIGHT = 800;

/** Waits for the page of this title: at either width axe finds nothing, and nothing has to be scrolled to from side to side. */
export const lookAt = async (page: Page, title: string): Promise<void> => {
  await titleOf(page, title);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    assert.deepEqual(await axeFindings(page), [], `${title} at ${width} px`);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(wide <= width, `${title} is ${wide} px wide at ${width} px`);
  }
};
