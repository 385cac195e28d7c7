import type { Attack } from './attack.ts';

/** Child process that runs one attack until it receives a stop message or its parent exits. */
const stop = new AbortController();
process.on('disconnect', () => process.exit(0));
// Errors at the end, or from the service's defence, are not the attack's fault.
process.on('uncaughtException', (error) => process.stderr.write(process.env.SVC_SHOW_ATTACK ? `${error.stack}\n` : ''));
process.on('message', (message: { readonly file: string; readonly prepared: unknown } | 'stop') => {
  if (message === 'stop') {
    stop.abort();
    // Work in progress ends with this process.
    setTimeout(() => process.exit(0), 50);
    return;
  }
  void import(message.file).then(async ({ attack }: { readonly attack: Attack }) => {
    process.send?.('begun');
    await attack.spend(message.prepared, stop.signal);
  });
});
process.send?.('ready');
