/** Systems on which clients keep their files in different folders. */
export type Folders = {
  readonly home: string;
  /** Folder of the project, where files that a team shares are. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type ConfigScope = 'USER' | 'PROJECT';
export type ConfigFile = { readonly path: string; readonly scope: ConfigScope };

export type Syntax = 'json' | 'yaml' | 'toml';

/** Members of an entry, by their names in one client. */
export type EntryShape = {
  /** Member with the program, and that with its arguments. With `list`, one member holds both. */
  readonly command: { readonly program: string; readonly args: string } | { readonly list: string };
  readonly env: readonly string[];
  /** Members with the address of a remote server. */
  readonly url: readonly string[];
  /** Members with the headers of a remote server. Those that name variables hold no secret, and are of no use to a local program either. */
  readonly headers: readonly string[];
  /** The value of `type` that a local server has, and those of a remote server that speaks streamable HTTP. */
  readonly type?: { readonly local: string; readonly isRequired: boolean; readonly remote: readonly string[] };
};

/** One client: where its configuration is, and how a server is written in it. */
export type Format = {
  readonly id: string;
  readonly name: string;
  readonly syntax: Syntax;
  readonly files: (folders: Folders) => readonly ConfigFile[];
  /** Paths to the objects that hold the entries by name, `*` for each member. */
  readonly containers: readonly (readonly string[])[];
  /** Entries are a list, each with its name. */
  readonly isList?: true;
  readonly shape: EntryShape;
};
