import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

type Found = { readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[] };
type Axe = { readonly run: (options: object) => Promise<Found> };

/**
 * Lists violations of WCAG 2.2, levels A and AA, as found by axe. The script is injected from outside, since the page's policy permits no
 * other script.
 */
export const axeFindings = async (page: Page): Promise<readonly string[]> => {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (values) => (globalThis as unknown as { readonly axe: Axe }).axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] }),
    TAGS,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
};
