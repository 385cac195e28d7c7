import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

type Found = { readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[] };
type Axe = { readonly run: (options: object) => Promise<Found> };

/** What a page has against WCAG 2.2, levels A and AA, as axe sees it; the policy of the page lets no other script in, so it is put in from outside. */
export const axeFindings = async (page: Page): Promise<readonly string[]> => {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (values) => (globalThis as unknown as { readonly axe: Axe }).axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] }),
    TAGS,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
};
