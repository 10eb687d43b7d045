/** BigDesign has no such icon. This one has the same measures as its icons. */
export function PeopleIcon() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" fill="currentColor" aria-hidden="true">
      <circle cx="9" cy="8" r="3.5" />
      <path d="M2 19c0-3.6 3.1-6 7-6s7 2.4 7 6v1H2z" />
      <path d="M15.5 4.7a3.5 3.5 0 0 1 0 6.6 5 5 0 0 0 0-6.6zM17.8 13.4c2.5.8 4.2 2.8 4.2 5.6v1h-4v-1c0-2.2-.8-4.1-2.2-5.5.6-.2 1.3-.2 2-.1z" />
    </svg>
  )
}
