import type { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';

const CANDIDATES = [
  'operations@service.example',
  '00000000-0000-0000-0000-000000000000',
  `AC${'0'.repeat(32)}`,
  'us6',
  'sandbox',
  'datadoghq.eu',
  'shop',
  'client-1',
];

/** Values that each required field of an application accepts. */
export const exampleValues = ({ enter }: CatalogueEntry): Record<string, string> =>
  Object.fromEntries(
    enter
      .filter(({ secret, required, default: preset }) => !secret && required && preset === undefined)
      .map(({ name, pattern = '' }) => [name, CANDIDATES.find((text) => new RegExp(pattern, 'u').test(text)) ?? '']),
  );
