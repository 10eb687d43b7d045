import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  publicDir: false,
  plugins: [react()],
  build: {
    target: 'es2023',
    // The whole application is script modules. A polyfill would be an inline script, which the security policy refuses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: true,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        // Changes with the versions of libraries and not with screens, so that browsers keep it.
        codeSplitting: {
          groups: [{ name: 'libraries', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/ }],
        },
      },
    },
  },
})
