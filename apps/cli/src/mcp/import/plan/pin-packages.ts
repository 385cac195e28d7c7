import { isUnpinnable, readNpxCommand } from '../../packages/npx-command.ts';
import { isUnresolved, resolvePackage } from '../../packages/resolve-package.ts';
import type { FilePlan, FileStep } from './plan-file.ts';

type ProxyStep = Extract<FileStep, { action: 'PROXY' }>;

/** Pins packages one after the other. A registry that cannot be reached is not asked again. */
export const newPackagePins = () => {
  let unreachable: string | undefined;
  const pinStep = async (step: ProxyStep): Promise<ProxyStep> => {
    const { program, args } = step.server;
    const command = readNpxCommand(program, args);
    if (command === undefined) return step;
    if (isUnpinnable(command)) return { ...step, pin: { kind: 'UNPINNED', reason: command.reason } };
    if (unreachable !== undefined) return { ...step, pin: { kind: 'UNPINNED', reason: unreachable } };
    const { name, wanted, withVersion } = command;
    const resolved = await resolvePackage(name, wanted);
    if (isUnresolved(resolved)) {
      if (resolved.isUnreachable) unreachable = resolved.reason;
      return { ...step, pin: { kind: 'UNPINNED', reason: resolved.reason } };
    }
    const { version, integrity } = resolved;
    return { ...step, pin: { kind: 'PINNED', name, version, integrity, args: withVersion(version) } };
  };
  return {
    pinPlan: async (plan: FilePlan): Promise<FilePlan> => {
      const steps: FileStep[] = [];
      for (const step of plan.steps) steps.push(step.action === 'PROXY' ? await pinStep(step) : step);
      return { ...plan, steps };
    },
  };
};
