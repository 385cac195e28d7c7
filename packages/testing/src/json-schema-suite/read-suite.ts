import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type SuiteCase = { readonly description: string; readonly data: unknown; readonly valid: boolean };
export type SuiteGroup = {
  readonly file: string;
  readonly description: string;
  readonly schema: boolean | Readonly<Record<string, unknown>>;
  readonly tests: readonly SuiteCase[];
};

/** The dialects of the JSON-Schema-Test-Suite that are kept here, by the identifier of their meta-schema. */
export const SUITE_DIALECTS: Readonly<Record<string, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema',
  'draft-06': 'http://json-schema.org/draft-06/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

export const readSuite = (dialect: string): readonly SuiteGroup[] =>
  readFileSync(join(import.meta.dirname, `${dialect}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SuiteGroup);
