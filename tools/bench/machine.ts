import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';

export type BenchMachine = {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
};

export const readMachine = (postgres: string): BenchMachine => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGigabytes: Math.round(totalmem() / 1e9),
  system: `${platform()} ${release()} ${arch()}`,
  node: process.version,
  postgres,
});
