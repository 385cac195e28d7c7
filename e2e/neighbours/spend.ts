import type { Attack } from './attack.ts';

/** Run as a process of its own: told which attack and with what, it spends until it is told to stop or its parent is gone. */
const stop = new AbortController();
process.on('disconnect', () => process.exit(0));
// What breaks off at the end, or because the service defends itself, is no fault of the attack.
process.on('uncaughtException', (error) => process.stderr.write(process.env.SVC_SHOW_ATTACK ? `${error.stack}\n` : ''));
process.on('message', (message: { readonly file: string; readonly prepared: unknown } | 'stop') => {
  if (message === 'stop') {
    stop.abort();
    // Whatever is under way ends with this process.
    setTimeout(() => process.exit(0), 50);
    return;
  }
  void import(message.file).then(async ({ attack }: { readonly attack: Attack }) => {
    process.send?.('begun');
    await attack.spend(message.prepared, stop.signal);
  });
});
process.send?.('ready');
