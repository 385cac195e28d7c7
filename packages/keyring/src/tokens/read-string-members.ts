import { isUtf8 } from 'node:buffer';

const SPACE = '[ \\t\\n\\r]*';
const STRING = '"(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*"';
const member = new RegExp(`${SPACE}(${STRING})${SPACE}:${SPACE}(${STRING})${SPACE}([,}])`, 'y');
const opening = new RegExp(`^${SPACE}\\{`);
const onlySpace = new RegExp(`^${SPACE}$`);

/**
 * Parses a JSON object whose members are all strings; null for any other bytes.
 * Unlike JSON.parse it rejects a duplicate member, under any escaping, so that two parsers can never see two different objects.
 */
export const readStringMembers = (bytes: Buffer): ReadonlyMap<string, string> | null => {
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  const start = opening.exec(text);
  if (start === null) return null;
  const members = new Map<string, string>();
  member.lastIndex = start[0].length;
  for (;;) {
    const at = member.lastIndex;
    const [whole, name, value, end] = member.exec(text) ?? [];
    if (whole === undefined || name === undefined || value === undefined) return null;
    const decodedName: string = JSON.parse(name);
    if (members.has(decodedName)) return null;
    members.set(decodedName, JSON.parse(value));
    if (end === '}') return onlySpace.test(text.slice(at + whole.length)) ? members : null;
  }
};
