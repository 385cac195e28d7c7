import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../../api/call.ts';
import { PasswordField } from '../../frame/fields.tsx';
import { Form } from '../../frame/form.tsx';

/** A fresh proof of who is there, before something that needs one goes on. */
export const StepUp = ({ onDone }: { readonly onDone: () => void }): ReactNode => (
  <>
    <Text>This needs a fresh proof that it is you.</Text>
    <Form
      submit="Go on"
      send={({ password }) => call('POST', '/v1/auth/step-up', { password })}
      then={onDone}
      fields={(error) => <PasswordField error={error} />}
    />
  </>
);
