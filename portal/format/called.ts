/** What a person is called where they are not seen in their row: two may have one name. */
export function called({ firstName, lastName, email }: { firstName: string; lastName: string; email: string }): string {
  return `${firstName} ${lastName} (${email})`
}
