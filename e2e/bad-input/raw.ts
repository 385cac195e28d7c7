import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { TestResponse } from '@svc/testing/people/client.ts';

/** Sends raw bytes and reads until the server closes, or has been silent for a while. */
export const exchange = (base: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(base);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    const finish = () => resolve(text);
    socket.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    socket.setTimeout(400, () => socket.destroy()).on('close', finish);
    socket.on('error', finish);
  });

/** Parses raw responses into the form that other checks read. */
export const parseAnswers = (text: string): TestResponse[] => {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const [status = '', ...lines] = text.slice(0, end).split('\r\n');
  const fields = lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  const headers = new Headers(fields);
  const rest = text.slice(end + 4);
  const length = Number(headers.get('content-length') ?? rest.length);
  const content = rest.slice(0, length);
  const answer = { status: Number(status.split(' ')[1]), headers, json: content.startsWith('{') ? JSON.parse(content) : undefined, text };
  return [answer, ...parseAnswers(rest.slice(length))];
};

export const getAnswer = (text: string): TestResponse => {
  const [answer] = parseAnswers(text);
  assert.ok(answer, `no answer in ${JSON.stringify(text)}`);
  return answer;
};

export const sendRaw = async (base: string, lines: readonly string[], body = ''): Promise<TestResponse> =>
  getAnswer(await exchange(base, `${lines.join('\r\n')}\r\n\r\n${body}`));
