// Moves the token from the address and the history into the form.
const field = document.getElementById('token')
const token = location.hash.slice(1)
if (token !== '') {
  field.value = token
  history.replaceState(null, '', location.pathname)
}

// Shows what the link is for; the form also works without a response.
const form = document.querySelector('form')
const about = document.getElementById('about')
if (field.value === '') {
  say('The address of this page is not complete. Open the whole link again, to its last letter.', true)
} else if (about) {
  describe().catch(() =>
    say('What this invitation is for could not be read just now. You can accept it nevertheless.', false),
  )
}

async function describe() {
  const answer = await fetch(about.dataset.from, { method: 'POST', body: new URLSearchParams({ token: field.value }) })
  const { about: words, ended } = await answer.json()
  say(words, ended)
}

function say(words, ended) {
  const place = about ?? form.parentElement.insertBefore(document.createElement('p'), form)
  place.textContent = words
  form.hidden = ended
}
