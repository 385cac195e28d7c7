import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Source address of attackers in tests; all other clients use 127.0.0.1. */
const STRANGE_ADDRESS = '127.0.0.66';

/** Opens a raw connection from an address of its own. */
export const openUnauthenticatedSocket = (url: string): Socket => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: STRANGE_ADDRESS });
  socket.on('error', () => undefined);
  return socket;
};

/** Sends a request from an address of its own; returns its status. */
export const sendAskAsStranger = (
  url: string,
  method: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ localAddress: STRANGE_ADDRESS });
    const content = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { agent, method, headers: { ...content, ...headers } }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
