import { DatabaseSync } from 'node:sqlite'

/** Whoever reads all issues of this index is busy for most of a minute. @returns what makes the index usual again */
export function makeEndless(path: string): () => void {
  change(
    path,
    `
    alter table issues rename to few_issues;
    create view issues as
      with recursive again (nr) as (select 1 union all select nr + 1 from again where nr < 100000000)
      select * from few_issues where (select count(*) from again) > 0`,
  )
  return () => change(path, 'drop view issues; alter table few_issues rename to issues')
}

function change(path: string, statements: string): void {
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
}
