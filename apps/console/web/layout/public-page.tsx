import { type ReactNode, useEffect } from 'react';
import { Stack, Title } from '../design/kit.tsx';
import { UnstatedProblem } from '../design/problem.tsx';
import { formatPageTitle, PRODUCT } from './page-title.ts';

type PublicPageProps = { readonly title: string; readonly children: ReactNode };

/** A page without the menu: signing in, and single decisions that another program asks for. */
export const PublicPage = ({ title, children }: PublicPageProps): ReactNode => {
  useEffect(() => {
    document.title = formatPageTitle(title);
  }, [title]);
  return (
    <div className="narrow-page">
      <header className="product">{PRODUCT}</header>
      <main id="content" className="sheet" tabIndex={-1}>
        <Stack>
          <Title order={1} size="h2">
            {title}
          </Title>
          <UnstatedProblem />
          {children}
        </Stack>
      </main>
    </div>
  );
};
