// Takes the token out of the address and out of the history, and leaves it in the form.
const field = document.getElementById('token')
const token = location.hash.slice(1)
if (token !== '') {
  field.value = token
  history.replaceState(null, '', location.pathname)
}

// Says what the link is for; without an answer the form works as well.
const about = document.getElementById('about')
if (about && field.value !== '') describe().catch(() => undefined)

async function describe() {
  const answer = await fetch(about.dataset.from, { method: 'POST', body: new URLSearchParams({ token: field.value }) })
  const { about: words, ended } = await answer.json()
  about.textContent = words
  document.querySelector('form').hidden = ended
}
