import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ApplicationCategory, CatalogueEntry, PlatformReason } from '@svc/contract/tools/catalogue-entry.ts';

const FOLDER = path.join(import.meta.dirname, 'applications');
const IDENTITIES = path.join(import.meta.dirname, 'identities.json');

/** An application that is known by its automation node alone. */
type Identity = NonNullable<CatalogueEntry['automation']> & {
  readonly key: string;
  readonly name: string;
  readonly category: ApplicationCategory;
  readonly reason: PlatformReason;
};

let applications: ReadonlyMap<string, CatalogueEntry> | undefined;

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const asEntry = ({ key, name, category, reason, ...automation }: Identity): CatalogueEntry => ({
  format: 'svc-catalogue/1',
  key,
  version: 1,
  name,
  category,
  summary: `Actions of ${name} that only the automation platform performs.`,
  automation,
  api: null,
  credential: null,
  enter: [],
  extra_items: [],
  test: null,
  sources: [],
  actions: [{ key: '*', performed_by: 'PLATFORM', reason }],
});

const readAll = (): ReadonlyMap<string, CatalogueEntry> => {
  const described = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => readJson(path.join(FOLDER, file)) as CatalogueEntry);
  const known = (readJson(IDENTITIES) as readonly Identity[]).map(asEntry);
  const byName = (one: CatalogueEntry, other: CatalogueEntry): number => one.name.localeCompare(other.name, 'en');
  return new Map([...described.sort(byName), ...known.sort(byName)].map((entry) => [entry.key, entry]));
};

/** The entries of the catalogue by key: first those whose actions are described, each by name. Read once; tests validate the files. */
export const readApplications = (): ReadonlyMap<string, CatalogueEntry> => {
  applications ??= readAll();
  return applications;
};

export const findApplication = (key: string): CatalogueEntry | undefined => readApplications().get(key);
