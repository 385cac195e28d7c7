import { Button, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Answer, ApiError } from '../api/call.ts';
import { Problem } from './problem.tsx';

export type Values = Readonly<Record<string, string>>;

type FormProps<Body> = {
  readonly submit: string;
  readonly send: (values: Values) => Promise<Answer<Body>>;
  readonly then: (body: Body) => void;
  readonly fields: (error: ApiError | undefined) => ReactNode;
};

const valuesOf = (form: HTMLFormElement): Values =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']));

/** Fields and a button: sends what is in them once, and says what is wrong with it. */
export const Form = <Body,>({ submit, send, then, fields }: FormProps<Body>): ReactNode => {
  const [error, setError] = useState<ApiError>();
  const [isSending, setSending] = useState(false);
  const onSubmit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    const answer = await send(valuesOf(event.currentTarget));
    setSending(false);
    if (answer.ok) then(answer.body);
    else setError(answer.error);
  };
  return (
    <form onSubmit={(event) => void onSubmit(event)}>
      <Stack>
        <Problem error={error} />
        {fields(error)}
        <Button type="submit" loading={isSending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
};
