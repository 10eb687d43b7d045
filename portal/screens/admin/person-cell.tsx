interface Person {
  firstName: string
  lastName: string
  email: string
}

/** A person in a table. */
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
