import { useEffect, useState } from 'react';
import { call } from './call.ts';

export type Environment = { readonly id: string; readonly name: string };

/** The environments that whoever asks sees; undefined until they are there. */
export const useEnvironments = (): readonly Environment[] | undefined => {
  const [environments, setEnvironments] = useState<readonly Environment[]>();
  useEffect(() => {
    void call<readonly Environment[]>('GET', '/v1/environments').then((answer) => setEnvironments(answer.ok ? answer.body : []));
  }, []);
  return environments;
};
