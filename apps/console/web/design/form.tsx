import type { FormEvent, ReactNode } from 'react';
import type { ApiAnswer, ApiError } from '../data/answer.ts';
import { useMutation } from '../data/use-mutation.ts';
import { Button, Stack } from './kit.tsx';
import { Problem } from './problem.tsx';

export type Values = Readonly<Record<string, string>>;

type FormProps<Body> = {
  readonly submit: string;
  /** Color of the button for a destructive action. */
  readonly color?: 'red';
  /** `all` returns every value of a name that occurs more than once, such as checked boxes. */
  readonly send: (values: Values, all: (name: string) => readonly string[]) => Promise<ApiAnswer<Body>>;
  readonly then: (body: Body) => void;
  /** Called where the request failed; the form shows the error itself. */
  readonly onFailure?: (error: ApiError) => void;
  readonly fields: (error: ApiError | undefined) => ReactNode;
};

const getText = (value: FormDataEntryValue): string => (typeof value === 'string' ? value : '');

/** Fields and a button. Sends the values once, keeps them when the request fails, and shows what is wrong with them. */
export const Form = <Body,>({ submit, color, send, then, onFailure, fields }: FormProps<Body>): ReactNode => {
  const sendData = (data: FormData): Promise<ApiAnswer<Body>> =>
    send(Object.fromEntries([...data].map(([name, value]) => [name, getText(value)])), (name) => data.getAll(name).map(getText));
  const { run, error, isPending } = useMutation(sendData, then, onFailure);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void run(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Problem error={error} />
        {fields(error)}
        <Button type="submit" loading={isPending} {...(color === undefined ? {} : { color })}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
};
