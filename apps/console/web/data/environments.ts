import { useEffect, useState } from 'react';
import { call } from './call.ts';
import { type Environment, withLabels } from './environment-labels.ts';

export type { Environment };

/** None where whoever asks may not see them. */
const read = async <One>(path: string): Promise<readonly One[]> => {
  const answer = await call<readonly One[]>('GET', path);
  return answer.ok ? answer.body : [];
};

/** The environments that whoever asks sees; undefined until they are there. */
export const useEnvironments = (): readonly Environment[] | undefined => {
  const [environments, setEnvironments] = useState<readonly Environment[]>();
  useEffect(() => {
    const look = async (): Promise<void> => {
      const [told, workspaces] = await Promise.all([
        read<Omit<Environment, 'label'>>('/v1/environments'),
        read<{ readonly id: string; readonly name: string }>('/v1/workspaces'),
      ]);
      setEnvironments(withLabels(told, workspaces));
    };
    void look();
  }, []);
  return environments;
};
