import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { waitUntil } from '@svc/testing/time/until.ts';

const METADATA = 3;
const TOPIC = 'governance-events';

export const hasKafkaBroker = spawnSync('kcat', ['-V']).status === 0;

export type KafkaMessage = { readonly key: string; readonly headers: string; readonly value: string };

export type KafkaBroker = {
  readonly url: string;
  /** All messages, as another client reads them. */
  readonly read: () => Promise<readonly KafkaMessage[]>;
  /** Ends all connections, and refuses new ones until `start`. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly remove: () => void;
};

/** Calls `take` with each whole message of the protocol, which begins with its length. */
const readFrames = (from: Socket, take: (frame: Buffer) => void): void => {
  let rest = Buffer.alloc(0);
  from.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const length = 4 + rest.readInt32BE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
};

/** The position after a string of the protocol; the length -1 is that of null. */
const skipString = (frame: Buffer, at: number): number => at + 2 + Math.max(0, frame.readInt16BE(at));

/** Names the one broker as the controller, at another port, in an answer to a request for metadata of version 2. */
const nameController = (frame: Buffer, port: number): Buffer => {
  const changed = Buffer.from(frame);
  const broker = 12;
  const portAt = skipString(changed, broker + 4);
  changed.writeInt32BE(port, portAt);
  const controllerAt = skipString(changed, skipString(changed, portAt + 4));
  changed.writeInt32BE(changed.readInt32BE(broker), controllerAt);
  return changed;
};

/** Forwards everything; answers with metadata name the controller, which this broker does not. */
const forward = (client: Socket, brokerPort: number, port: number): void => {
  const broker = connect(brokerPort, '127.0.0.1');
  const asked = new Set<number>();
  readFrames(client, (frame) => {
    if (frame.readInt16BE(4) === METADATA) asked.add(frame.readInt32BE(8));
    broker.write(frame);
  });
  readFrames(broker, (frame) => client.write(asked.delete(frame.readInt32BE(4)) ? nameController(frame, port) : frame));
  for (const [one, other] of [
    [client, broker],
    [broker, client],
  ] as const)
    one.on('error', () => one.destroy()).on('close', () => other.destroy());
};

const readMessages = async (brokerPort: number): Promise<readonly KafkaMessage[]> => {
  const words = ['-C', '-b', `127.0.0.1:${brokerPort}`, '-t', TOPIC, '-o', 'beginning', '-e', '-q', '-f', '%k\t%h\t%s\n'];
  const reading = spawn('kcat', words, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 });
  const chunks: Buffer[] = [];
  for await (const chunk of reading.stdout) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString('utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [key = '', headers = '', value = ''] = line.split('\t');
    return { key, headers, value };
  });
};

/**
 * The broker that librdkafka contains: it parses requests of the protocol, checks sequences of idempotent producers, and keeps messages in
 * memory. A proxy makes it unavailable, and names it as the controller.
 */
export const startKafkaBroker = async (): Promise<KafkaBroker> => {
  const child = spawn('kcat', ['-P', '-b', 'none:1', '-t', TOPIC, '-X', 'test.mock.num.brokers=1', '-d', 'mock'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < 10_000) said += text;
  });
  const readPort = (): string | undefined => /bootstrap\.servers=127\.0\.0\.1:(\d+)/.exec(said)?.[1];
  await waitUntil('the broker listens', () => readPort() !== undefined);
  const brokerPort = Number(readPort());
  const clients = new Set<Socket>();
  const proxy = createServer((client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    forward(client, brokerPort, port);
  });
  const listen = async (at: number): Promise<void> => {
    proxy.listen(at, '127.0.0.1');
    await once(proxy, 'listening');
  };
  await listen(0);
  const { port } = proxy.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    if (!proxy.listening) return;
    const closed = once(proxy, 'close');
    proxy.close();
    for (const client of clients) client.destroy();
    await closed;
  };
  return {
    url: `kafka://127.0.0.1:${port}/${TOPIC}`,
    read: () => readMessages(brokerPort),
    stop,
    start: () => listen(port),
    remove: () => void child.kill('SIGKILL'),
  };
};
