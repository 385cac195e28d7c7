import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** How a mail server treats the next mails. */
export type MailAnswer =
  | 'takes'
  /** Accepts the mail, and its response never arrives. */
  | 'hangs after the mail'
  | 'goes at once'
  | { readonly refuses: 'sender' | 'recipient' | 'mail'; readonly status: number };

export type ReceivedMail = { readonly to: string; readonly raw: string; readonly isSecure: boolean; readonly user: string | null };

/** A mail server on this machine that records every complete mail, and responds as the test says. */
export type MailServer = {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedMail[];
  /** Sets how it responds from now on; a function is called each time, with the recipient's address. */
  readonly answer: (how: MailAnswer | ((to: string) => MailAnswer)) => void;
  readonly close: () => Promise<void>;
};

const toError = (status: number, to: string): Error => Object.assign(new Error(`no mail for ${to}`), { responseCode: status });

export const startMailServer = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  let how: MailAnswer | ((to: string) => MailAnswer) = 'takes';
  const refusalAt = (stage: 'sender' | 'recipient' | 'mail', to: string): Error | null => {
    const answer = typeof how === 'function' ? how(to) : how;
    return typeof answer === 'object' && answer.refuses === stage ? toError(answer.status, to) : null;
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 1,
    onMailFrom: (address, _session, done) => done(refusalAt('sender', address.address)),
    onRcptTo: ({ address }, _session, done) => done(refusalAt('recipient', address)),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(', ');
        const refused = refusalAt('mail', to);
        if (refused) return done(refused);
        const user = typeof session.user === 'string' ? session.user : null;
        received.push({ to, raw: Buffer.concat(chunks).toString('utf8'), isSecure: session.secure, user });
        const answer = typeof how === 'function' ? how(to) : how;
        if (answer === 'takes') done(null, 'taken');
        else if (answer === 'goes at once') for (const connection of server.connections) connection.close();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  // A test that fails before it closes this must still be able to exit.
  server.server.unref();
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    answer: (next) => {
      how = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

/** Opens a port that accepts connections and stays silent, like a hanging mail server. */
export const startSilentServer = async (): Promise<{
  readonly port: number;
  readonly count: () => number;
  readonly close: () => Promise<void>;
}> => {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
