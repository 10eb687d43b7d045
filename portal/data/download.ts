import { apiError, received, send } from './client.ts'

/**
 * Downloads a file and hands it to the browser. A plain link could not send the organization.
 *
 * @throws ApiError
 */
export async function download(path: string, query: Record<string, string | undefined>): Promise<void> {
  const url = new URL(path, location.origin)
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value)
  const response = await send(new Request(url))
  if (!response.ok) throw apiError(response, await response.json().catch(() => undefined))
  const address = URL.createObjectURL(forSpreadsheets(path, await received(response.blob())))
  const link = document.createElement('a')
  link.href = address
  link.download = path.slice(path.lastIndexOf('/') + 1)
  link.click()
  // Once the click has returned, the browser holds the file itself.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/**
 * Excel reads a CSV file without a byte order mark as text of an old code page, with letters such as ä broken. Programs
 * get the file from the API, where a mark would be part of the name of the first column.
 */
function forSpreadsheets(path: string, file: Blob): Blob {
  return path.endsWith('.csv') ? new Blob(['\uFEFF', file], { type: file.type }) : file
}
