import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Bytes. A TLS record is up to twice as long, so that one is complete after three slices. */
const SLICE = 8_192;

/** Wraps a connection in a stream that passes data in small slices, one at a time, with backpressure. */
export const newSlicedStream = (socket: Socket): Duplex => {
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (piece: Buffer, _encoding, done) => void socket.write(piece, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (bytes: Buffer) => {
    for (let from = 0; from < bytes.length && !stream.destroyed; from += SLICE) {
      if (!stream.push(bytes.subarray(from, from + SLICE))) socket.pause();
    }
  });
  socket.on('end', () => void stream.push(null));
  socket.on('error', () => stream.destroy());
  socket.on('close', () => stream.destroy());
  return stream;
};
