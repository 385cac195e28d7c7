import { escapeInvisible } from '../../data/shown-json.ts';
import type { McpFinding } from './server.ts';

/** A part of a definition as it is shown, and the finding in it. */
export type DefinitionPart = { readonly text: string; readonly finding?: McpFinding };

const INDENT = '  ';

const escapedToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const quoted = (text: string): string => escapeInvisible(JSON.stringify(text).slice(1, -1));

/** Cuts a text at the bounds of its findings. If findings overlap, the first one marks the shared part. */
const markedText = (text: string, findings: readonly McpFinding[]): readonly DefinitionPart[] => {
  const parts: DefinitionPart[] = [];
  let from = 0;
  for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
    const [start, end] = [Math.max(from, finding.start), Math.min(text.length, finding.end)];
    if (end <= start) continue;
    parts.push({ text: quoted(text.slice(from, start)) }, { text: quoted(text.slice(start, end)), finding });
    from = end;
  }
  return [{ text: '"' }, ...parts, { text: `${quoted(text.slice(from))}"` }];
};

/**
 * A definition as indented JSON, cut into parts so that each finding is marked where it is. Unseen characters are spelled out. A finding at a
 * text marks that text; a finding at anything else is about the name of the member.
 */
export const getDefinitionParts = (definition: unknown, findings: readonly McpFinding[]): readonly DefinitionPart[] => {
  const parts: DefinitionPart[] = [];
  const findingsAt = (pointer: string) => findings.filter((each) => each.pointer === pointer);
  const writeAll = (
    children: readonly (readonly [name: string, value: unknown])[],
    [open, close]: readonly [string, string],
    { pointer, indent, isNamed }: { readonly pointer: string; readonly indent: string; readonly isNamed: boolean },
  ): void => {
    if (children.length === 0) return void parts.push({ text: `${open}${close}` });
    parts.push({ text: open });
    children.forEach(([name, value], at) => {
      const child = `${pointer}/${escapedToken(name)}`;
      parts.push({ text: `${at === 0 ? '' : ','}\n${indent}${INDENT}` });
      if (isNamed) parts.push(...markedText(name, typeof value === 'string' ? [] : findingsAt(child)), { text: ': ' });
      write(value, child, indent + INDENT);
    });
    parts.push({ text: `\n${indent}${close}` });
  };
  const write = (value: unknown, pointer: string, indent: string): void => {
    if (typeof value === 'string') parts.push(...markedText(value, findingsAt(pointer)));
    else if (Array.isArray(value))
      writeAll(
        value.map((each, at) => [`${at}`, each]),
        ['[', ']'],
        { pointer, indent, isNamed: false },
      );
    else if (typeof value === 'object' && value !== null) writeAll(Object.entries(value), ['{', '}'], { pointer, indent, isNamed: true });
    else parts.push({ text: JSON.stringify(value) });
  };
  write(definition, '', '');
  return parts.filter(({ text }) => text !== '');
};
