import { Container, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { formatPageTitle, PRODUCT } from './page-title.ts';

type PublicPageProps = { readonly title: string; readonly children: ReactNode };

/** A page without the menu: signing in, and single decisions that another program asks for. */
export const PublicPage = ({ title, children }: PublicPageProps): ReactNode => {
  useEffect(() => {
    document.title = formatPageTitle(title);
  }, [title]);
  return (
    <Container size="xs" py="xl">
      <header className="product">{PRODUCT}</header>
      <Paper component="main" id="content" tabIndex={-1} withBorder p="lg" radius="md">
        <Stack>
          <Title order={1} size="h2">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Container>
  );
};
