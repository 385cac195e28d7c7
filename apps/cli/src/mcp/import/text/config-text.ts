import type { Syntax } from '../formats/format.ts';
import { editJson, readJson } from './json-text.ts';
import { editToml, readToml } from './toml-text.ts';
import { editYaml, readYaml } from './yaml-text.ts';

/** Steps from the root of a document to a value. */
export type ConfigPath = readonly (string | number)[];

/** A change of the members of one object. */
export type MemberEdit = {
  readonly path: ConfigPath;
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove: readonly string[];
};

/** Reads and changes the text of a configuration. Both return undefined for a text that cannot be read or changed. */
export type ConfigSyntax = {
  readonly read: (text: string) => unknown;
  /** The text with a change. Everything else of the text stays byte for byte. */
  readonly edit: (text: string, edit: MemberEdit) => string | undefined;
};

export const SYNTAXES: Readonly<Record<Syntax, ConfigSyntax>> = {
  json: { read: readJson, edit: editJson },
  yaml: { read: readYaml, edit: editYaml },
  toml: { read: readToml, edit: editToml },
};
