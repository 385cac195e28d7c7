import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import { type NeighbourScene, refreshVictim } from './scene.ts';
import { type NeighbourFigures, watchNeighbour } from './watch-neighbour.ts';

export type Lengths = {
  /** Time for which the neighbour is measured before the attack; the first work of a plane is slow. */
  readonly quietMs: number;
  readonly attackMs: number;
};

export type AttackReport = {
  readonly name: string;
  readonly title: string;
  readonly quiet: NeighbourFigures;
  readonly under: NeighbourFigures;
  /** Planes that crashed meanwhile. */
  readonly dead: readonly string[];
};

const startSpending = async (file: string, prepared: unknown): Promise<ChildProcess> => {
  const child = fork(path.join(import.meta.dirname, 'spend.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  child.send({ file, prepared } as object);
  await once(child, 'message');
  return child;
};

const stopSpending = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.send('stop');
  await Promise.race([gone, sleep(2_000, undefined, { ref: false })]);
  child.kill('SIGKILL');
};

const deadPlanes = ({ planes }: NeighbourScene): string[] =>
  [...planes.gateways.map((child) => ['gateway', child] as const), ['control plane', planes.control] as const]
    .filter(([, child]) => child.exitCode !== null || child.signalCode !== null)
    .map(([name]) => name);

/** Measures the neighbour without and with the attack. */
export const runAttack = async (
  scene: NeighbourScene,
  file: string,
  lengths: Lengths,
  quietBefore?: NeighbourFigures,
): Promise<AttackReport> => {
  const { attack } = (await import(file)) as { readonly attack: Attack };
  const prepared = await attack.prepare(scene);
  await refreshVictim(scene);
  if (quietBefore === undefined) await watchNeighbour(scene, Math.min(500, lengths.quietMs));
  const quiet = quietBefore ?? (await watchNeighbour(scene, lengths.quietMs));
  const child = await startSpending(file, prepared);
  const under = await watchNeighbour(scene, lengths.attackMs);
  await stopSpending(child);
  return { name: path.basename(file, '.ts'), title: attack.title, quiet, under, dead: deadPlanes(scene) };
};
