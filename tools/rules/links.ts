import { posix } from 'node:path';
import type { ProjectRule, RuleFinding, Tree } from '../tree.ts';

const fenced = /^(```|~~~).*?^\1/gms;
const inlineCode = /`[^`\n]*`/g;
const namedPath = /`((?:packages|apps|e2e|tools|docs|verifier)\/[\w./-]+)`/g;
const link = /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm;

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Returns the anchor that a heading gets in rendered documents: lower case, no punctuation, hyphens for blanks. */
const listAnchors = (text: string): Set<string> => {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replace(fenced, blank).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const anchor = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
};

const isOutside = (target: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(target);

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

const isThere = (tree: Tree, path: string): boolean => tree.has(path) || tree.paths.some((each) => each.startsWith(`${path}/`));

const wrongLink = (tree: Tree, from: string, target: string): string | undefined => {
  const [file = '', anchor] = decodeURI(target).split('#');
  const path = file === '' ? from : posix.normalize(posix.join(posix.dirname(from), file)).replace(/\/$/, '');
  if (!isThere(tree, path)) return `links to ${target}, which does not exist`;
  const misses = anchor !== undefined && path.endsWith('.md') && !listAnchors(tree.text(path)).has(anchor);
  return misses ? `links to ${target}, but there is no such heading` : undefined;
};

const wrongLinks = (tree: Tree, path: string): RuleFinding[] => {
  const text = tree.text(path).replace(fenced, blank).replace(inlineCode, blank);
  return [...text.matchAll(link)].flatMap((match) => {
    const target = match[1] ?? match[2] ?? '';
    const says = isOutside(target) ? undefined : wrongLink(tree, path, target);
    return says === undefined ? [] : [{ path, line: lineAt(text, match.index), says }];
  });
};

const wrongNames = (tree: Tree, path: string): RuleFinding[] => {
  const text = tree.text(path).replace(fenced, blank);
  return [...text.matchAll(namedPath)]
    .filter(([, named = '']) => !isThere(tree, named.replace(/\/$/, '')))
    .map(({ 1: named, index }) => ({ path, line: lineAt(text, index), says: `names ${named}, which does not exist` }));
};

/** Reports relative links to files or headings that do not exist, and full paths in backquotes that do not exist. */
export const getLinks: ProjectRule = (tree) => {
  const documents = tree.paths.filter((path) => path.endsWith('.md'));
  return [...documents.flatMap((path) => wrongLinks(tree, path)), ...documents.flatMap((path) => wrongNames(tree, path))];
};
