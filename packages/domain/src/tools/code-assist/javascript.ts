import { type GuardCall, type SourceLanguage, type SourceNode, walk } from './source-tree.ts';

const PACKAGE = '@svc/sdk';

const child = (node: SourceNode | undefined, field: string): SourceNode | undefined => node?.children.find((each) => each.field === field);
const findChildren = (node: SourceNode, field: string): readonly SourceNode[] => node.children.filter((each) => each.field === field);

/** Primitive members of a node, which the converter writes as JSON. */
const getMembers = (node: SourceNode | undefined): Readonly<Record<string, unknown>> => JSON.parse(node?.value || '{}');
const getName = (node: SourceNode | undefined): string | undefined => {
  const { name } = getMembers(node);
  return node?.kind === 'Identifier' && typeof name === 'string' ? name : undefined;
};

/** Local names of what the file imports from the SDK. */
const importedNames = (root: SourceNode): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const node of walk(root)) {
    const { value } = getMembers(child(node, 'source'));
    if (node.kind !== 'ImportDeclaration' || typeof value !== 'string' || !(value === PACKAGE || value.startsWith(`${PACKAGE}/`))) continue;
    for (const specifier of findChildren(node, 'specifiers')) {
      const name = getName(child(specifier, 'local'));
      if (name !== undefined) names.add(name);
    }
  }
  return names;
};

/** Names of clients of the SDK that the file creates once, and never declares otherwise. */
const clientNames = (root: SourceNode): ReadonlySet<string> => {
  const imported = importedNames(root);
  const declared = new Map<string, number>();
  const clients = new Set<string>();
  for (const node of walk(root)) {
    const name = node.kind === 'VariableDeclarator' ? getName(child(node, 'id')) : undefined;
    if (name === undefined) continue;
    declared.set(name, (declared.get(name) ?? 0) + 1);
    const init = child(node, 'init');
    if (init?.kind === 'NewExpression' && imported.has(getName(child(init, 'callee')) ?? '')) clients.add(name);
  }
  return new Set([...clients].filter((name) => declared.get(name) === 1));
};

const guardCall = (node: SourceNode, clients: ReadonlySet<string>): GuardCall | undefined => {
  const callee = child(node, 'callee');
  const isGuard =
    node.kind === 'CallExpression' &&
    callee?.kind === 'MemberExpression' &&
    getMembers(callee).computed === false &&
    getName(child(callee, 'property')) === 'guard' &&
    clients.has(getName(child(callee, 'object')) ?? '');
  const args = findChildren(node, 'arguments');
  const { value } = getMembers(args[0]);
  return isGuard && args[0]?.kind === 'Literal' && typeof value === 'string' ? { key: value, node, args } : undefined;
};

const collectBound = (pattern: SourceNode, into: Set<string>): void => {
  const name = getName(pattern);
  if (name !== undefined) into.add(name);
  for (const each of pattern.children) if (each.field !== 'key') collectBound(each, into);
};

export const javascript: SourceLanguage = {
  findGuardCalls: (root) => {
    const clients = clientNames(root);
    return [...walk(root)].flatMap((node) => guardCall(node, clients) ?? []);
  },
  data: new Set([
    ...['ObjectExpression', 'ArrayExpression', 'Property', 'Literal', 'Identifier', 'ObjectPattern', 'ParenthesizedExpression'],
    ...['ArrowFunctionExpression', 'UnaryExpression'],
  ]),
  isActive: (node) => {
    const { computed, method, kind, async: isAsync, expression, operator, regex, bigint } = getMembers(node);
    if (node.kind === 'Property') return computed === true || method === true || kind !== 'init';
    if (node.kind === 'ArrowFunctionExpression') return isAsync === true || expression !== true;
    if (node.kind === 'UnaryExpression') return operator !== '-';
    return node.kind === 'Literal' && (regex !== undefined || bigint !== undefined);
  },
  names: (node) => {
    const [bound, free] = [new Set<string>(), new Set<string>()];
    const look = (each: SourceNode): void => {
      const name = getName(each);
      if (name !== undefined) free.add(name);
      if (each.kind === 'ArrowFunctionExpression') for (const parameter of findChildren(each, 'params')) collectBound(parameter, bound);
      const isMember = each.kind === 'Property' || each.kind === 'MemberExpression';
      const fixed = isMember && getMembers(each).computed !== true ? ['key', 'property'] : [];
      for (const below of each.children) if (!fixed.includes(below.field)) look(below);
    };
    look(node);
    for (const name of bound) free.delete(name);
    return { bound, free };
  },
};
