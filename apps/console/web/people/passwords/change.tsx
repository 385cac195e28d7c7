import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import { NewPasswordField, PasswordField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

/** Another password for whoever knows the one there is. */
export const Password = (): ReactNode => {
  const [isDone, setDone] = useState(false);
  return (
    <ConsolePage title={isDone ? 'The password is changed' : 'Change your password'}>
      {isDone ? (
        <Text role="status">Every other session of yours has ended. This one goes on.</Text>
      ) : (
        <>
          <Text>Every other session of yours ends with it, in all organizations.</Text>
          <Form
            submit="Change the password"
            send={({ current_password, new_password }) => call('POST', '/v1/auth/password', { current_password, new_password })}
            then={() => setDone(true)}
            fields={(error) => (
              <>
                <PasswordField error={error} name="current_password" label="Present password" />
                <NewPasswordField error={error} name="new_password" />
              </>
            )}
          />
        </>
      )}
    </ConsolePage>
  );
};
