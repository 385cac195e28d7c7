import { Button, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { Answer, ApiError } from '../data/call.ts';
import { useDeed } from '../data/use-mutation.ts';
import { Problem } from './problem.tsx';

export type Values = Readonly<Record<string, string>>;

export type FormProps<Body> = {
  readonly submit: string;
  /** Of what it does where that is not what most forms do. */
  readonly color?: 'red';
  /** `all` has what stands there more than once, such as the boxes that are ticked. */
  readonly send: (values: Values, all: (name: string) => readonly string[]) => Promise<Answer<Body>>;
  readonly then: (body: Body) => void;
  readonly fields: (error: ApiError | undefined) => ReactNode;
};

type WithProof = { readonly proof?: (again: () => void) => ReactNode };

const textOf = (value: FormDataEntryValue): string => (typeof value === 'string' ? value : '');

/** Fields and a button: sends what is in them once, and says what is wrong with it. */
export const PlainForm = <Body,>({ submit, color, send, then, fields, proof }: FormProps<Body> & WithProof): ReactNode => {
  const sendData = (data: FormData): Promise<Answer<Body>> =>
    send(Object.fromEntries([...data].map(([name, value]) => [name, textOf(value)])), (name) => data.getAll(name).map(textOf));
  const { run, error, isUnderWay, again } = useDeed(sendData, then);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void run(new FormData(event.currentTarget));
  };
  return (
    <>
      <form onSubmit={onSubmit} hidden={again !== undefined}>
        <Stack>
          <Problem error={error} />
          {fields(error)}
          <Button type="submit" loading={isUnderWay} {...(color === undefined ? {} : { color })}>
            {submit}
          </Button>
        </Stack>
      </form>
      {again ? proof?.(again) : null}
    </>
  );
};
