/** A node of a parsed source, the same for each language. Positions are UTF-16 offsets. */
export type SourceNode = {
  /** Kind of the syntax, in the words of its parser. */
  readonly kind: string;
  /** Part of its parent that it is, such as `callee`; empty if parts have no names. */
  readonly field: string;
  /** The part that the kind does not express: a name, a literal, an operator. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SourceNode[];
};

export type ParsedSource = { readonly root: SourceNode; readonly comments: readonly string[] };

/** A call of `guard` on a client of the SDK that the file itself creates. */
export type GuardCall = {
  readonly key: string;
  readonly node: SourceNode;
  /** Arguments in their order, without punctuation. */
  readonly args: readonly SourceNode[];
};

/** The facts about a language that the checks need. */
export type SourceLanguage = {
  readonly findGuardCalls: (root: SourceNode) => readonly GuardCall[];
  /** Kinds of syntax that only describe data. */
  readonly data: ReadonlySet<string>;
  /** True if a node of such a kind does more than describe data. */
  readonly isActive: (node: SourceNode) => boolean;
  /** Names that nodes bind, and names that they read. */
  readonly names: (node: SourceNode) => { readonly bound: ReadonlySet<string>; readonly free: ReadonlySet<string> };
};

const NESTED_MAX = 400;

/** Visits a node and everything below it, parents first. */
export function* walk(node: SourceNode, depth = 0): Generator<SourceNode> {
  if (depth > NESTED_MAX) throw new RangeError('the source is nested too deeply');
  yield node;
  for (const child of node.children) yield* walk(child, depth + 1);
}

/** Serializes a node, without positions and with holes in place of some nodes. */
export const written = (node: SourceNode, holes: ReadonlySet<SourceNode> = new Set()): string =>
  holes.has(node)
    ? `(${node.field} HOLE)`
    : `(${node.field} ${node.kind} ${JSON.stringify(node.value)}${node.children.map((child) => written(child, holes)).join('')})`;
