interface Person {
  firstName: string
  lastName: string
  email: string
}

/** How tables show a person. */
export function nameAndEmail({ firstName, lastName, email }: Person) {
  return (
    <>
      <bdi>
        {firstName} {lastName}
      </bdi>
      <small>
        <bdi>{email}</bdi>
      </small>
    </>
  )
}
