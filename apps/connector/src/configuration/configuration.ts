import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const path = Type.String({ minLength: 1, maxLength: 4_096 });
const whole = (minimum: number, maximum: number) => Type.Optional(Type.Integer({ minimum, maximum }));

/** A package of npm, pinned by the digest of its archive. */
export const PinnedPackage = Type.Object(
  {
    name: Type.String({ pattern: '^(@[a-z0-9][a-z0-9._-]{0,100}/)?[a-z0-9][a-z0-9._-]{0,200}$' }),
    version: Type.String({ pattern: '^[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}(-[0-9A-Za-z.-]{1,100})?$' }),
    integrity: Type.String({ pattern: '^sha512-[A-Za-z0-9+/]{86}==$' }),
    /** Folder with the package and what it depends on. */
    folder: path,
    /** Name of the program, for a package that has several. */
    bin: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
);

export const ServerConfiguration = Type.Object(
  {
    /** A program in PATH or by its path. A pinned package needs none. */
    command: Type.Optional(path),
    package: Type.Optional(PinnedPackage),
    args: Type.Optional(Type.Array(Type.String({ maxLength: 32_768 }), { maxItems: 256 })),
    /** Variables of the connector that the server gets. It gets no others, except PATH and HOME. */
    env: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,100}$' }), { maxItems: 100 })),
    folder: Type.Optional(path),
    /** BUBBLEWRAP: only the named folders, and no network unless it is allowed. NONE: the rights of the user of the connector. */
    sandbox: Type.Optional(Type.Union([Type.Literal('BUBBLEWRAP'), Type.Literal('NONE')])),
    network: Type.Optional(Type.Boolean()),
    read: Type.Optional(Type.Array(path, { maxItems: 100 })),
    write: Type.Optional(Type.Array(path, { maxItems: 100 })),
    calls_max: whole(1, 256),
    call_seconds: whole(1, 600),
    line_bytes_max: whole(1_024, 16_777_216),
    memory_mebibytes_max: whole(64, 65_536),
    idle_seconds: whole(1, 86_400),
  },
  closed,
);
export type ServerConfiguration = Static<typeof ServerConfiguration>;

/** The file that the connector reads. */
export const Configuration = Type.Object(
  {
    host: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    /** File with the bearer secret that requests state; readable by the user alone. */
    secret_file: path,
    servers: Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }), ServerConfiguration, {
      minProperties: 1,
      maxProperties: 100,
    }),
  },
  closed,
);
export type Configuration = Static<typeof Configuration>;

/** Values of members that are left out. */
export const DEFAULTS = {
  host: '127.0.0.1',
  calls_max: 16,
  call_seconds: 120,
  line_bytes_max: 4_194_304,
  idle_seconds: 600,
} as const;
