import { connect, type Socket } from 'node:net';
import { type ParsedResponse, readAnswer } from './answer.ts';

export type Lane = {
  /** Sends one request and waits for its response. Not called again before that. */
  readonly ask: (request: Uint8Array, then: (answer: ParsedResponse, bytes: Buffer) => void) => void;
  readonly close: () => void;
};

const CHUNK_BYTES = 65_536;

/** Opens one keep-alive connection with one reused buffer, so that the generator takes little from the servers. */
export const openLane = (port: number, proof: Buffer, fail: (error: Error) => void): Promise<Lane> =>
  new Promise((resolve) => {
    let waiting: ((answer: ParsedResponse, bytes: Buffer) => void) | undefined;
    let begun: Buffer | undefined;
    const take = (size: number, buffer: Uint8Array): boolean => {
      const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, size);
      const bytes = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
      const answer = readAnswer(bytes, proof);
      begun = answer === undefined ? Buffer.from(bytes) : undefined;
      if (answer === undefined) return true;
      const then = waiting;
      waiting = undefined;
      then?.(answer, bytes);
      return true;
    };
    const socket: Socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: Buffer.alloc(CHUNK_BYTES), callback: take },
    });
    socket.on('error', fail);
    socket.on('close', () => waiting && fail(new Error('a connection was closed before its answer')));
    socket.on('connect', () =>
      resolve({
        ask: (request, then) => {
          waiting = then;
          socket.write(request);
        },
        close: () => socket.destroy(),
      }),
    );
  });
