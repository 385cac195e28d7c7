import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** What a mail server does with the next mails. */
export type MailAnswer =
  | 'takes'
  /** Takes the mail, and its answer never arrives. */
  | 'hangs after the mail'
  | 'goes at once'
  | { readonly refuses: 'sender' | 'recipient' | 'mail'; readonly status: number };

export type ReceivedMail = { readonly to: string; readonly raw: string; readonly isSecure: boolean; readonly user: string | null };

/** A mail server on this machine that writes down every mail it was given whole, and answers as it is told to. */
export type MailServer = {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedMail[];
  /** From now on; a function is asked each time, with the address of the recipient. */
  readonly answer: (how: MailAnswer | ((to: string) => MailAnswer)) => void;
  readonly close: () => Promise<void>;
};

const errorOf = (status: number, to: string): Error => Object.assign(new Error(`no mail for ${to}`), { responseCode: status });

export const startMailServer = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  let how: MailAnswer | ((to: string) => MailAnswer) = 'takes';
  const refusalAt = (stage: 'sender' | 'recipient' | 'mail', to: string): Error | null => {
    const answer = typeof how === 'function' ? how(to) : how;
    return typeof answer === 'object' && answer.refuses === stage ? errorOf(answer.status, to) : null;
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
  // A test that fails before it can close this must still be able to end.
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

/** A port that takes connections and says nothing, as a mail server does that hangs. */
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
