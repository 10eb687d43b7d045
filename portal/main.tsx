import { theme } from '@bigcommerce/big-design-theme'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { css, ThemeProvider } from 'styled-components'
import { ApiError, rememberOrganization } from './data/client.ts'
import { createQueries } from './data/queries.ts'
import { createPortalRouter } from './routes.tsx'
import './styles/shell.css'
import './styles/screen.css'
import './styles/controls.css'
import './styles/table.css'
import './styles/migration.css'
import './styles/findings.css'
import './styles/administration.css'
import './styles/forms.css'
import './styles/narrow.css'
import './styles/print.css'

/** BigDesign's theme, with the shades of `tokens.css` where its own are too pale for text. */
const portalTheme = {
  ...theme,
  colors: {
    ...theme.colors,
    primary10: '#f8f9ff',
    secondary40: '#8c93ad',
    secondary60: '#5e637a',
    danger: '#ad0000',
    danger50: '#8f0000',
  },
  border: { ...theme.border, box: css`1px solid #8c93ad` },
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root.')
const queries = createQueries()
window.addEventListener('focus', rememberOrganization)
// An error response of the API is not a crash: a screen displays it.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiError)) reportError(error)
}
createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <ThemeProvider theme={portalTheme}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={createPortalRouter(queries)} />
      </QueryClientProvider>
    </ThemeProvider>
  </StrictMode>,
)
