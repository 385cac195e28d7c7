import { listPlaceholders } from './placeholders.ts';
import { type GuardCall, type ParsedSource, type SourceLanguage, type SourceNode, walk, written } from './source-tree.ts';

/** Names of the checks of a proposal, in their order. */
const REWRITE_CHECKS = [
  ...(['SAME_CALLS', 'OUTSIDE_UNCHANGED', 'COMMENTS_UNCHANGED', 'PLACEHOLDERS_UNCHANGED', 'FUNCTION_UNCHANGED', 'DATA_ONLY'] as const),
  'KNOWN_NAMES',
] as const;
export type RewriteCheck = (typeof REWRITE_CHECKS)[number];

export type CheckedRewrite = readonly { readonly name: RewriteCheck; readonly passed: boolean }[];

export type RewriteSide = ParsedSource & { readonly source: string };

/** A key, the function and one argument that describes the request. */
const ARGUMENTS_MAX = 3;

const isSame = (one: SourceNode | undefined, other: SourceNode | undefined): boolean =>
  one === undefined || other === undefined ? one === other : written(one) === written(other);

const sameKeys = (before: readonly GuardCall[], after: readonly GuardCall[]): boolean =>
  before.length === after.length && before.every(({ key }, at) => after[at]?.key === key);

const findHoles = (calls: readonly GuardCall[], keys: ReadonlySet<string>): ReadonlySet<SourceNode> =>
  new Set(calls.filter(({ key }) => keys.has(key)).map(({ node }) => node));

const keepsFunction = ({ args, node }: GuardCall, after: GuardCall): boolean => {
  const callee = (call: SourceNode): SourceNode | undefined =>
    call.children.find(({ field }) => field === 'callee' || field === 'function');
  return (
    isSame(args[0], after.args[0]) &&
    isSame(args[1], after.args[1]) &&
    isSame(callee(node), callee(after.node)) &&
    after.args.length >= Math.min(args.length, 2) &&
    after.args.length <= Math.max(args.length, ARGUMENTS_MAX)
  );
};

/** Everything below the arguments that describe the request: what a rewrite may change. */
const described = ({ args }: GuardCall): readonly SourceNode[] => args.slice(2);

/** True if the new arguments do nothing that the old call did not do: new syntax only describes data. */
const isDataOnly = (language: SourceLanguage, before: GuardCall, after: GuardCall): boolean => {
  const known = new Set(described(before).flatMap((each) => [...walk(each)].map((node) => written(node))));
  const look = (node: SourceNode): boolean =>
    known.has(written(node)) || (language.data.has(node.kind) && !language.isActive(node) && node.children.every(look));
  return described(after).every(look);
};

/** True if the new arguments read no name that the old ones did not: nothing else of the file becomes part of a request. */
const readsKnownNames = (language: SourceLanguage, before: GuardCall, after: GuardCall): boolean => {
  const known = new Set(described(before).flatMap((each) => [...language.names(each).free]));
  return described(after).every((each) => [...language.names(each).free].every((name) => known.has(name)));
};

const isSorted = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());

/** Compares a source with a proposal for it. A proposal is used only if every check passes. */
export const checkRewrite = (
  language: SourceLanguage,
  before: RewriteSide,
  after: RewriteSide,
  keys: ReadonlySet<string>,
): CheckedRewrite => {
  const [olds, news] = [language.findGuardCalls(before.root), language.findGuardCalls(after.root)];
  const isPaired = sameKeys(olds, news);
  const pairs = isPaired ? olds.flatMap((old, at) => (news[at] && keys.has(old.key) ? [[old, news[at]] as const] : [])) : [];
  const each = (holds: (old: GuardCall, fresh: GuardCall) => boolean): boolean =>
    isPaired && pairs.every(([old, fresh]) => holds(old, fresh));
  return [
    { name: 'SAME_CALLS', passed: isPaired && pairs.length >= keys.size },
    { name: 'OUTSIDE_UNCHANGED', passed: written(before.root, findHoles(olds, keys)) === written(after.root, findHoles(news, keys)) },
    { name: 'COMMENTS_UNCHANGED', passed: JSON.stringify(before.comments) === JSON.stringify(after.comments) },
    { name: 'PLACEHOLDERS_UNCHANGED', passed: isSorted(listPlaceholders(before.source), listPlaceholders(after.source)) },
    { name: 'FUNCTION_UNCHANGED', passed: each(keepsFunction) },
    { name: 'DATA_ONLY', passed: each((old, fresh) => isDataOnly(language, old, fresh)) },
    { name: 'KNOWN_NAMES', passed: each((old, fresh) => readsKnownNames(language, old, fresh)) },
  ];
};
