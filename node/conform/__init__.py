"""The conformance kit: tables where our seats follow a script, and what a foreign node did there, MUST by MUST.

Our seats are real nodes; a script changes what one of them says on its way out. An observer writes down what the
foreign node says, and the checks judge it with the same table that every node and verifier uses. Nothing in here plays
for people.
"""
