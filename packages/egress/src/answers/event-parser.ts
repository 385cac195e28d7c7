import type { ServerEvent } from '../requests/server-event.ts';

const NEWLINE = /\r\n|\n|\r/;

/**
 * Parses a `text/event-stream` (WHATWG HTML, section 9.2) in pieces. Comments and events without data are left out; `retry` is ignored, since no
 * stream is reconnected here.
 */
export const newEventParser = () => {
  let rest = '';
  let isFirst = true;
  let data: string[] = [];
  let event = '';
  let id: string | undefined;

  const readField = (line: string): void => {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\u0000')) id = value;
  };
  const dispatch = (): ServerEvent | undefined => {
    const ended = data.length === 0 ? undefined : { event: event || 'message', data: data.join('\n'), ...(id === undefined ? {} : { id }) };
    [data, event] = [[], ''];
    return ended;
  };
  return {
    /** Returns the events that this piece ends. */
    add: (piece: string): ServerEvent[] => {
      if (piece === '') return [];
      const text = isFirst ? piece.replace(/^\ufeff/, '') : rest + piece;
      isFirst = false;
      // A carriage return at the end may be the first half of a line end.
      const lines = (text.endsWith('\r') ? text.slice(0, -1) : text).split(NEWLINE);
      rest = (lines.pop() ?? '') + (text.endsWith('\r') ? '\r' : '');
      return lines.flatMap((line) => {
        if (line !== '') readField(line);
        return line === '' ? (dispatch() ?? []) : [];
      });
    },
    /** Characters held of an incomplete event. */
    heldChars: (): number => data.reduce((sum, line) => sum + line.length, rest.length),
  };
};
