import { applyEdits, type FormattingOptions, modify, type ParseError, parse } from 'jsonc-parser';
import type { MemberEdit } from './config-text.ts';
import { getLineEnd } from './splices.ts';

export const readJson = (text: string): unknown => {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length > 0 ? undefined : value;
};

const detectFormat = (text: string): FormattingOptions => {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol: getLineEnd(text) };
};

export const editJson = (text: string, { path, set, remove }: MemberEdit): string | undefined => {
  const formattingOptions = detectFormat(text);
  const changes = [...Object.entries(set), ...remove.map((member) => [member, undefined] as const)];
  return changes.reduce(
    (changed, [member, value]) => applyEdits(changed, modify(changed, [...path, member], value, { formattingOptions })),
    text,
  );
};
